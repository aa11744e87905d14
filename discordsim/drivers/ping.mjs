// A test of a ping bot: node ping.mjs node bot.js

// docs/testing-your-bot.md shows the lines from here on.
import { spawn } from 'node:child_process';
import { Discord, expectEdit, expectEphemeral, expectMessage, expectModal } from './discordsim.mjs';

const discord = await Discord.start();
const [program, ...flags] = process.argv.slice(2);
const bot = spawn(program, flags, { env: { ...process.env, ...discord.env }, stdio: ['pipe', 'inherit', 'inherit'] });
try {
  await discord.botReady();
  const [alice, bob] = [discord.user('alice'), discord.user('bob')];
  const pong = expectMessage(await alice.command('ping'), 'pong');
  expectEdit(await bob.click(pong, 'Again'), pong, 'pong again');
  const form = await bob.click(pong, 'Name');
  expectModal(form, 'Who are you?');
  expectEphemeral(await bob.submit(form, { name: 'Ada' }), 'hello Ada');
  await discord.allAnswered();
} finally {
  bot.kill();
  await discord.stop();
}
// docs/testing-your-bot.md shows the lines up to here.
