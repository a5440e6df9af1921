const Database = require('better-sqlite3')
const { Client } = require('pg')

/** Counts the statements of this process from now on; returns a function that returns the number. */
function countStatements() {
  let count = 0
  const counted = (prototype, name) => {
    const original = prototype[name]
    prototype[name] = function (...values) {
      count += 1
      return original.apply(this, values)
    }
  }
  counted(Client.prototype, 'query')
  const database = new Database(':memory:')
  const statement = Object.getPrototypeOf(database.prepare('select 1'))
  for (const name of ['all', 'get', 'iterate', 'run']) counted(statement, name)
  database.close()
  return () => count
}

module.exports = { countStatements }
