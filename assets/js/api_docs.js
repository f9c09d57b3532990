// Renders the description of the HTTP interface; the script before this one is Swagger UI.

// Screen readers list the title and the conventions as the page's banner.
const infoIsBanner = () => ({
  wrapComponents: {
    InfoContainer:
      (InfoContainer, { React }) =>
      (props) =>
        React.createElement(
          "header",
          { role: "banner" },
          React.createElement(InfoContainer, props),
        ),
  },
});

window.SwaggerUIBundle({
  url: "/api/openapi.json",
  dom_id: "#swagger-ui",
  defaultModelsExpandDepth: 0,
  plugins: [infoIsBanner],
});
