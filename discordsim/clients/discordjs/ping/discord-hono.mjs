import { serve } from './serve.js';

// docs/testing-your-bot.md shows the lines from here on.
import { DiscordHono, makeActionRow, makeButton, makeModal, makeSlashCommand, makeTextInput, register } from 'discord-hono';

const discord = process.env.DISCORD_URL ?? 'https://discord.com';
const { fetch } = globalThis;
globalThis.fetch = (url, init) => fetch(String(url).replace('https://discord.com', discord), init);
// docs/testing-your-bot.md shows the lines up to here.
const env = { DISCORD_APPLICATION_ID: process.env.APPLICATION_ID, DISCORD_PUBLIC_KEY: process.env.PUBLIC_KEY, DISCORD_TOKEN: process.env.DISCORD_TOKEN };
const app = new DiscordHono()
  .command('ping', (c) => c.res({ content: 'pong', components: [makeActionRow([makeButton('again', 'Again'), makeButton('name', 'Name')])] }))
  .component('again', (c) => c.update().resDefer((c) => c.followup('pong again')))
  .component('name', (c) => c.resModal(makeModal('form', 'Who are you?', [makeActionRow([makeTextInput('name').label('Name')])])))
  .modal('form', (c) => c.flags('EPHEMERAL').res('hello ' + c.var.name));
register([makeSlashCommand('ping', 'Says pong')], env.DISCORD_APPLICATION_ID, env.DISCORD_TOKEN);
serve((request) => app.fetch(request, env, { waitUntil: () => {} }));
process.stdin.resume().on('end', () => process.exit()); // the test that started the bot has ended
