/** How many are read concurrently. */
const readsAtOnce = 8

/** Reads the existing items, by key. */
async function readAll(keys, read) {
  const found = new Map()
  for (let start = 0; start < keys.length; start += readsAtOnce) {
    const some = keys.slice(start, start + readsAtOnce)
    const values = await Promise.all(some.map(read))
    for (const [index, key] of some.entries()) {
      if (values[index] !== undefined) found.set(key, values[index])
    }
  }
  return found
}

module.exports = { readAll }
