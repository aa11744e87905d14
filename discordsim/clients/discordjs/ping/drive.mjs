// What docs/testing-your-bot.md shows of a test: it plays with a bot that says pong.

// The page shows what follows.
import assert from 'node:assert/strict';

const sim = process.env.SIM_URL ?? 'http://127.0.0.1:8080';
const act = async (call, body) => (await fetch(sim + '/sim/' + call, { method: 'POST', body: JSON.stringify(body) })).json();

const pong = await act('command', { as: 'alice', channel: 'general', name: 'ping' });
assert.equal(pong.message?.content, 'pong', JSON.stringify(pong));
const again = await act('click', { as: 'bob', message: pong.message.id, label: 'Again' });
assert.equal(again.message?.content, 'pong again', JSON.stringify(again));
const form = await act('click', { as: 'bob', message: pong.message.id, label: 'Name' });
const hello = await act('modal', { as: 'bob', interaction: form.interaction, fields: { name: 'Ada' } });
assert.equal(hello.message?.content, 'hello Ada', JSON.stringify(hello));
assert.ok(hello.ephemeral);
// So far.
