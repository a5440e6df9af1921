const assert = require('node:assert/strict')
const { describe, it } = require('node:test')
const { plainSegments } = require('../routes/plain-path')
const { findRow, table } = require('../routes/table')

const on = '/api/admin/projects/default/features/f/environments/production/on'
const find = (method, url) => {
  const segments = plainSegments(url)
  return segments && findRow(method, segments)
}

describe('the table of writing routes', () => {
  it('has each route once', () => {
    const routes = table.map(({ route }) => route)
    assert.deepEqual(
      routes.filter((route, index) => routes.indexOf(route) !== index),
      [],
    )
  })

  it('finds each of its own routes', () => {
    for (const { route, method, parts } of table) {
      const url = `/${parts.map((part) => part.replace(':', 'value-of-')).join('/')}`
      assert.equal(find(method, url)?.row.route, route)
    }
  })

  it('passes no path that the server could route to a gated route', () => {
    const overlaps = (a, b) =>
      a.method === b.method &&
      a.parts.length === b.parts.length &&
      a.parts.every((part, index) => part === b.parts[index] || `${part}${b.parts[index]}`.includes(':'))
    const passing = table.filter(({ touches }) => touches === undefined)
    const gated = table.filter(({ touches }) => touches !== undefined)
    assert.deepEqual(
      gated.filter((row) => passing.some((other) => overlaps(row, other))).map(({ route }) => route),
      [],
    )
  })

  it('has no other route', () => {
    const others = [
      '/api/admin/state/import',
      '/api/admin/projects/default/features/f/changeProject',
      '/api/admin',
      '/',
    ]
    for (const url of others) assert.equal(find('POST', url), undefined, url)
  })
})

describe('the path of a write', () => {
  it('is read without regard to case and a slash at its end, and sent on as the table has it', () => {
    const url = '/API/Admin/projects/default/features/f/environments/%70roduction/ON/?x=1'
    const { row, params, path } = find('POST', url)
    assert.equal(row.touches, 'environment')
    assert.deepEqual(params, { project: 'default', feature: 'f', environment: 'production' })
    assert.equal(path, on)
  })

  it('keeps what stands in a parameter within it', () => {
    const { params, path } = find('DELETE', '/api/admin/tags/simple/a%20b%3Fc')
    assert.equal(params.value, 'a b?c')
    assert.equal(path, '/api/admin/tags/simple/a%20b%3Fc')
  })

  const tricks = {
    'an empty part': on.replace('/projects', '//projects'),
    'a slash at the beginning': `/${on}`,
    'two slashes at the end': `${on}//`,
    'dots that lead elsewhere': on.replace('/api', '/edge/../api'),
    'escaped dots': on.replace('/api', '/edge/%2e%2E/api'),
    'a dot': on.replace('/features', '/./features'),
    'an escaped slash': on.replace('features/f', 'features%2Ff'),
    'a slash that is escaped twice': on.replace('features/f', 'features%252Ff'),
    'a backslash': on.replace('/features', '\\features'),
    'an escaped backslash': on.replace('/features', '%5Cfeatures'),
    'parameters of a part': on.replace('/features', ';x=1/features'),
    'a NUL': `${on}%00`,
    'a line break': `${on}%0d%0a`,
    'a malformed escape': on.replace('/f/', '/%zz/'),
    'a fragment': `${on}#x`,
    'a full address': `http://127.0.0.1${on}`,
    'an escaped literal': on.replace(/on$/, '%6Fn'),
  }
  describe('attack: a path that the server could read in another way', () => {
    for (const [name, url] of Object.entries(tricks)) {
      it(`is unknown with ${name}`, () => assert.equal(find('POST', url), undefined))
    }
  })
})
