const { toMessage } = require('./message')

/** Codes of `chat.update` for a message that is too old, or was deleted. */
const lost = ['edit_window_closed', 'cant_update_message', 'message_not_found']

/** The message of each change request. */
async function createTable(knex) {
  if (await knex.schema.hasTable('slack_messages')) return
  await knex.schema.createTable('slack_messages', (table) => {
    table.bigInteger('change_request').primary()
    table.string('channel').notNullable()
    table.string('ts').notNullable()
  })
}

/**
 * Returns a function that posts the message of a change request, or updates it.
 *
 * @param client of express-change-requests/client, which reads for everyone in the channel
 */
function createMessages({ knex, call, client, project, channel }) {
  let last = Promise.resolve()
  return function show(id) {
    // One after the other, so that in this process no message gets older content than it has.
    last = last.catch(() => {}).then(() => write(id))
    return last
  }

  async function write(id) {
    const review = await read(id)
    if (review === null) return
    const stored = await knex('slack_messages').where({ change_request: id }).first()
    if (stored === undefined && review.ended !== null) return
    const message = toMessage(review)
    if (stored !== undefined && (await update(stored, message))) return
    const posted = await call('chat.postMessage', { channel, ...message })
    const row = { change_request: id, channel: posted.channel, ts: posted.ts }
    await knex('slack_messages').insert(row).onConflict('change_request').merge()
  }

  /** Null for a draft, which others cannot see. */
  async function read(id) {
    try {
      const { body } = await client.review({ project, id })
      if (body.digest === null) throw new Error('The flags cannot be read at the moment.')
      return body
    } catch (error) {
      if (error.status === 404) return null
      throw error
    }
  }

  /** False if the message can no longer be updated. */
  async function update({ channel, ts }, message) {
    try {
      await call('chat.update', { channel, ts, ...message })
      return true
    } catch (error) {
      if (lost.includes(error.code)) return false
      throw error
    }
  }
}

module.exports = { createMessages, createTable }
