FROM golang:1.26-bookworm AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
# SQLite takes most of the build. In a layer of its own it is compiled again only when go.mod changes, or these flags.
RUN CGO_ENABLED=1 go install -trimpath -tags=osusergo,netgo,sqlite_omit_load_extension github.com/mattn/go-sqlite3
COPY . .
ARG RELEASE
# One file that needs nothing of the system below it. .ci/run builds by this very command.
RUN CGO_ENABLED=1 go build -trimpath -tags=osusergo,netgo,sqlite_omit_load_extension \
    -ldflags "-s -w -X main.release=${RELEASE:-} -linkmode external -extldflags '-static'" \
    -o dist/tictactoe ./cmd/tictactoe
RUN mkdir dist/data

FROM scratch
COPY --from=build /etc/ssl/certs/ca-certificates.crt /etc/ssl/certs/
COPY --from=build --chown=65532:65532 /src/dist/data /data
COPY --from=build /src/dist/tictactoe /tictactoe
USER 65532:65532
# The data folder holds the database; it is also where SQLite may put temporary files.
ENV XDG_DATA_HOME=/data
WORKDIR /data
VOLUME /data
STOPSIGNAL SIGTERM
ENTRYPOINT ["/tictactoe"]
CMD ["serve"]
