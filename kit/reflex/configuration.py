"""Further settings for the configuration modules that Reflex writes for Vite and React Router.

Reflex has a setting for few of their options. What a module exports becomes a part of a new default
export, so that these changes depend on no other text of Reflex than `export default`.
"""

from typing import Final

from reflex.constants import ReactRouter

VITE: Final = ReactRouter.VITE_CONFIG_FILE
ROUTER: Final = ReactRouter.CONFIG_FILE
_EXPORT = "export default "


def with_vite_settings(module: str, settings: str) -> str:
    """Return vite.config.js with settings, an object in JavaScript, merged into those of Reflex.

    Raises:
        RuntimeError: If the module has not one default export.
    """
    number = module.count("mergeConfig as")
    return f"""{_renamed(module, f"config{number}")}
import {{ mergeConfig as merge{number} }} from "vite";
export default (environment) => merge{number}(config{number}(environment), {settings});
"""


def with_router_settings(module: str, settings: str) -> str:
    """Return react-router.config.js with settings, an object, in place of those of Reflex.

    Raises:
        RuntimeError: If the module has not one default export.
    """
    return f"{_renamed(module, 'config')}\nexport default {{ ...config, ...{settings} }};\n"


def _renamed(module: str, name: str) -> str:
    if module.count(_EXPORT) != 1:
        raise RuntimeError(
            "Reflex's configuration has changed: look at kit/reflex/configuration.py"
        )
    return module.replace(_EXPORT, f"const {name} = ")
