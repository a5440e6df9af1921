import { join } from 'node:path'
import { runNode, stopAll } from './support/child'
import { removeFolders, root, temporaryFolder } from './support/folders'

const { planted } = require('../support/gate/plant')
const lists = join(root, 'test/support/gate/plant-and-list.js')

afterAll(async () => {
  await stopAll()
  removeFolders()
})

describe('ungatedRoutes', () => {
  it.each([
    ['server/server.js', 5],
    ['mount/express-5.cjs', 5],
    ['mount/express-5.mjs', 5],
    ['mount/express-4.cjs', 4],
    ['mount/express-4.mjs', 4],
  ])('finds only planted routes in examples/%s', async (example, major) => {
    const args = ['--require', lists, join(root, 'examples', example)]
    const env = { ANN_KEY: 'a-key-of-ann-for-this-test' }
    const { stdout, stderr } = await runNode(args, { cwd: temporaryFolder(), env }).exit
    expect([stderr, JSON.parse(stdout.split('\n').at(-1) ?? '')]).toEqual(['', { major, before: [], after: planted }])
  })
})
