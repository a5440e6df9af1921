import { runNode } from './support/child'
import { root } from './support/folders'

/** Runs code in a Node of its own that has loaded Express, and returns the packages that it loaded in addition. */
async function loadedBy(code: string): Promise<string[]> {
  const script = `
    require('express')
    const before = new Set(Object.keys(require.cache))
    const done = (async () => { ${code} })()
    done.then(() => {
      const files = Object.keys(require.cache).filter((file) => !before.has(file))
      const names = files.map((file) => /.*[\\\\/]node_modules[\\\\/]((?:@[^\\\\/]+[\\\\/])?[^\\\\/]+)/.exec(file)?.[1])
      process.stdout.write(JSON.stringify([...new Set(names.filter(Boolean))].sort()))
    })`
  const { stdout, stderr } = await runNode(['-e', script], { cwd: root }).exit
  expect(stderr).toBe('')
  return JSON.parse(stdout)
}

const factory = `
  const { createChangeRequestRouter, memoryStorage } = require('express-change-requests')
  const router = createChangeRequestRouter({ storage: memoryStorage(), authenticate: () => ({ id: 1 }) })`

describe('a host that starts', () => {
  it('loads neither Ajv nor Knex for the router', async () => {
    expect(await loadedBy(factory)).toEqual(['ajv-formats'])
  })

  it('loads few files, because the source files are bundled', async () => {
    const counted = `${factory}
      const own = Object.keys(require.cache).filter((file) => /dist.(?:index|chunks)/.test(file))
      if (own.length === 0 || own.length > 27) throw new Error(own.length + ' files were loaded.')`
    await loadedBy(counted)
  })

  it('loads the OpenAPI document with the first call that needs it', async () => {
    const asked = (code: string) => `${code}
      const isThere = () => Object.keys(require.cache).some((file) => /openapi\\.json$/.test(file))
      if (isThere()) throw new Error('It was loaded with the router.')
      router.openapi({ mountPath: '/flags' })
      if (!isThere()) throw new Error('It was not loaded at all.')`
    expect(await loadedBy(asked(factory))).toEqual(['ajv-formats'])
  })

  it('loads no second Knex for the Knex storage', async () => {
    expect(await loadedBy("require('express-change-requests/knex')")).toEqual([])
  })

  it('loads the review page only if it is imported', async () => {
    const asked = `${factory}
      const isThere = () => Object.keys(require.cache).some((file) => /dist.(?:page|client)./.test(file))
      if (isThere()) throw new Error('It was loaded with the router.')
      require('express-change-requests/page')
      if (!isThere()) throw new Error('It was not loaded at all.')`
    expect(await loadedBy(asked)).toEqual(['ajv-formats'])
  })

  it('loads Ajv with the first input to validate', async () => {
    const recording = `${factory}; await router.events.record({ type: 'feature-archived', featureName: 'checkout' })`
    expect(await loadedBy(recording)).toEqual(expect.arrayContaining(['ajv']))
  })
})
