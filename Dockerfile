# The compiler runs on the machine that builds, also for another architecture: docker build --platform linux/arm64 needs no emulator. (Podman 4
# also needs --build-arg BUILDPLATFORM=linux/amd64 --build-arg TARGETARCH=arm64.)
FROM --platform=$BUILDPLATFORM golang:1.26-bookworm AS build
ARG TARGETARCH
RUN case "$TARGETARCH on $(go env GOARCH)" in "arm64 on amd64") apt-get update && \
    apt-get install -y --no-install-recommends gcc-aarch64-linux-gnu libc6-dev-arm64-cross && \
    go env -w GOARCH=arm64 CC=aarch64-linux-gnu-gcc ;; esac
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
# Dependencies take most of the build. In a layer of their own they are compiled again only when go.mod changes, or this command.
RUN CGO_ENABLED=1 go install -trimpath -tags=osusergo,netgo,sqlite_omit_load_extension \
    charm.land/bubbletea/v2 github.com/alecthomas/kong github.com/bwmarrin/discordgo github.com/jackc/pgx/v5/pgxpool \
    github.com/jackc/pgx/v5/stdlib github.com/klauspost/compress/zstd github.com/mattn/go-sqlite3 github.com/pressly/goose/v3 \
    github.com/prometheus/client_golang/prometheus/promhttp github.com/santhosh-tekuri/jsonschema/v6 \
    github.com/tdewolff/minify/v2/js golang.org/x/image/font/opentype golang.org/x/text/message
COPY . .
ARG RELEASE
# One file that needs nothing of the system below it. .ci/run builds by this very command.
RUN CGO_ENABLED=1 go build -trimpath -tags=osusergo,netgo,sqlite_omit_load_extension \
    -ldflags "-s -w -X main.release=${RELEASE:-} -linkmode external -extldflags '-static'" \
    -o dist/tictactoe ./cmd/tictactoe
RUN mkdir dist/data && CC=$(go env CC) scripts/notices dist/tictactoe >dist/THIRD_PARTY_NOTICES

FROM scratch
ARG RELEASE
LABEL org.opencontainers.image.title="Tic-Tac-Toe for Discord" \
    org.opencontainers.image.description="A bot for Discord on which people play Tic-Tac-Toe against each other and the computer" \
    org.opencontainers.image.licenses="MIT" org.opencontainers.image.version="${RELEASE:-development}"
COPY --from=build /etc/ssl/certs/ca-certificates.crt /etc/ssl/certs/
COPY --from=build --chown=65532:65532 /src/dist/data /data
COPY --from=build /src/dist/tictactoe /tictactoe
COPY --from=build /src/LICENSE /src/dist/THIRD_PARTY_NOTICES /licenses/
USER 65532:65532
# The data folder holds the database; it is also where SQLite may put temporary files.
ENV XDG_DATA_HOME=/data
# The health check asks the admin port, which only this container reaches.
ENV TICTACTOE_ADMIN=127.0.0.1:9090
HEALTHCHECK --start-period=1m --timeout=15s CMD ["/tictactoe", "health"]
WORKDIR /data
VOLUME /data
STOPSIGNAL SIGTERM
ENTRYPOINT ["/tictactoe"]
CMD ["serve"]
