'use strict';

// The page shows what follows.
const { GenericServer, SlashCommand, SlashCreator } = require('slash-create');
const http = require('node:http');

const discord = process.env.DISCORD_URL ?? 'https://discord.com';
const creator = new SlashCreator({
  applicationID: process.env.APPLICATION_ID, publicKey: process.env.PUBLIC_KEY, token: process.env.DISCORD_TOKEN,
  rest: { baseURL: discord + '/api/v10' },
});
// So far.
const answers = new GenericServer();
creator.withServer(answers).registerCommand(class extends SlashCommand {
  constructor(creator) { super(creator, { name: 'ping', description: 'Says pong' }); }
  async run(ctx) { await ctx.send({ content: 'pong', components: [buttons] }); }
});
creator.on('componentInteraction', async (ctx) => {
  if (ctx.customID === 'name') return ctx.sendModal(form);
  await ctx.acknowledge();
  await ctx.editParent('pong again');
});
creator.on('modalInteraction', (ctx) => ctx.send({ content: 'hello ' + ctx.values.name, ephemeral: true }));
creator.syncCommands();

const buttons = {
  type: 1,
  components: [{ type: 2, style: 1, label: 'Again', custom_id: 'again' }, { type: 2, style: 1, label: 'Name', custom_id: 'name' }],
};
const form = {
  title: 'Who are you?', custom_id: 'form',
  components: [{ type: 1, components: [{ type: 4, style: 1, custom_id: 'name', label: 'Name' }] }],
};
const server = http.createServer(async (incoming, outgoing) => {
  const body = Buffer.concat(await incoming.toArray());
  const answer = await answers.endpoint(new Request('http://localhost' + incoming.url, { method: incoming.method, headers: incoming.headers, body: body.length ? body : undefined }));
  outgoing.writeHead(answer.status, Object.fromEntries(answer.headers)).end(Buffer.from(await answer.arrayBuffer()));
});
server.listen(0, '127.0.0.1', () => console.log(`listening on 127.0.0.1:${server.address().port}.`));
process.stdin.resume().on('end', () => process.exit()); // whoever started it is gone
