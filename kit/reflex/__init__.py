"""Everything that depends on internals of Reflex, and every change to its build.

Private modules of Reflex (`reflex_base`, `reflex.utils`, `reflex.state`, `reflex.istate`,
`reflex.constants`) are imported here and nowhere else; ruff checks that. These names are in use;
`tests/kit/reflex/test_internals.py` has a test for each, which fails first after an upgrade.

| name | module | used for |
|---|---|---|
| `reflex.constants.ReactRouter` | configuration, page_plugins | names of the build's files |
| `reflex.constants.Templates` | patches | the folder of Reflex's own script |
| `reflex.utils.exec.is_prod_mode` | development | telling `make dev` from a build |
| `reflex.utils.exec.should_prerender_routes` | page_plugins | likewise |
| `reflex.utils.prerequisites.get_web_dir` | browser_targets, pages | the folder of the build |
| `reflex.state.OnLoadInternalState` | page_load | the event of a page that navigates |
| `reflex.state.StateUpdate` | page_load | telling Reflex that the event was handled |
| `reflex_base.event.context.EventContext` | events | which event failed |
| `reflex_base.event.processor.base_state_processor.chain_updates` | page_load | sending changes |

The build is changed in three ways, and in no other: `patches` changes scripts that Reflex ships,
`configuration` adds settings to those of Vite and React Router, and plugins (`page_plugins`,
`page_templates`, `browser_targets`) change the built pages.
`make reflex-check VERSION=…` tries all of this with another release: docs/reflex/.

Internals with a public name, also tested there:

| internal | module |
|---|---|
| `on_connect`, `on_disconnect`, `link_token_to_sid`, `sid_to_token` | session_limits |
| the environ of a socket, with its `asgi.scope`; `sid` in `router_data` | handshake |
| `RouteVar.CLIENT_TOKEN` in `router_data` | events |
| `StateManagerMemory.states`, the key of RedisTokenManager's records | session_states |
| `State._to_frontend_schema` (tested in `test_release_match.py`) | release_match |
| `State.get_value`, `base_vars`, `get_fields()` (tested in `test_unset_fields.py`) | unset_fields |
| `State.hydrate_and_load` (tested in `test_page_load.py`) | page_load |
| `StateManagerRedis._try_get_lock` (tested in `test_session_locks.py`) | session_locks |
| the message of a state update: its `delta`, and a variable's name as its string | broadcast |
"""
