// An HTTP server for libraries that take requests and return responses as fetch does.
'use strict';

const http = require('node:http');

/** Listens on a free port and says where. @param {(request: Request) => Promise<Response>} answer */
exports.serve = (answer) => {
  const server = http.createServer(async (incoming, outgoing) => {
    const body = Buffer.concat(await incoming.toArray());
    const { method, headers } = incoming;
    const response = await answer(new Request('http://localhost' + incoming.url, { method, headers, body: body.length ? body : undefined }));
    outgoing.writeHead(response.status, Object.fromEntries(response.headers)).end(Buffer.from(await response.arrayBuffer()));
  });
  server.listen(0, '127.0.0.1', () => console.log(`listening on 127.0.0.1:${server.address().port}.`));
};
