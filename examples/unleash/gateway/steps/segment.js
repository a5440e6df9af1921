const { isDeepStrictEqual } = require('node:util')
const { path } = require('../../server/client')
const { readSegment } = require('../read-state')

const read = (client, _place, { segment }) => readSegment(client, segment)
const isBefore = (current, { before }) => isDeepStrictEqual(current, before)

/** Updates a segment. */
const segment = {
  read,
  isBefore,
  isDone: (current, _step, { written }) => isDeepStrictEqual(current, written),
  async forward(client, _place, { segment: id, after }) {
    await put(client, id, after)
    return { written: await readSegment(client, id) }
  },
  undo: (client, _place, { segment: id, before }) => put(client, id, before),
  toEvents: ({ segment: id, before }, { written }) => [
    { type: 'segment-updated', data: { id, ...written }, preData: { id, ...before } },
  ],
}

/** Deletes a segment; null means deleted. */
const deleteSegment = {
  read: async (client, place, step) => (await read(client, place, step)) ?? null,
  isBefore,
  isDone: (current) => current === null,
  async forward(client, _place, { segment: id }) {
    await client.send('DELETE', path`segments/${id}`)
    return {}
  },
  /** The restored segment gets another id; no strategy used the old one. */
  undo: (client, _place, { before }) => client.send('POST', 'segments', before),
  toEvents: ({ segment: id, before }) => [{ type: 'segment-deleted', preData: { id, ...before } }],
}

async function put(client, id, content) {
  await client.send('PUT', path`segments/${id}`, content)
}

module.exports = { deleteSegment, segment }
