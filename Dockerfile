# syntax=docker/dockerfile:1

# The server and its pages, built with everything that building takes; none of it reaches the image.
FROM node:24-slim AS build
WORKDIR /app
COPY . .
RUN --mount=type=cache,target=/root/.npm \
  npm ci --include=dev --ignore-scripts --no-audit --no-fund \
  && node scripts/build.mjs

FROM node:24-slim
ENV NODE_ENV=production \
    HOST=0.0.0.0 \
    PORT=3000
WORKDIR /app

# npm reads the manifest of every workspace, and installs what this one asks for.
COPY package.json package-lock.json .npmrc ./
COPY packages/contract/package.json packages/contract/
COPY packages/client/package.json packages/client/
COPY packages/react/package.json packages/react/
COPY packages/documents-fonts/package.json packages/documents-fonts/
COPY packages/server/package.json packages/server/
COPY apps/web/package.json apps/web/
RUN --mount=type=cache,target=/root/.npm \
  npm ci --omit=dev -w packages/server -w packages/documents-fonts --ignore-scripts --no-audit --no-fund

COPY LICENSE ./
# Invoices in every script: the package as it is published, because Node runs no TypeScript that is installed.
COPY --from=build /app/release/documents-fonts packages/documents-fonts
COPY --from=build /app/release/tollgate/bin packages/server/bin
COPY --from=build /app/release/tollgate/dist packages/server/dist
COPY --from=build /app/release/tollgate/web packages/server/web

# SQLite's file, when no DATABASE_URL names another database. Everything else belongs to root and cannot be changed by
# the server.
RUN mkdir data && chown node:node data
VOLUME /app/data
USER node

EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/api/health/live`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "packages/server/bin/tollgate.js", "start"]
