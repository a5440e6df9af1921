import { generateKeyPairSync } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createEventChain, fileLedger, memoryStorage, type Storage } from '../../../src'
import { filesOf, july, openScene, removeFolders, type Scene, temporaryFolder, verify } from './support'

const keys = generateKeyPairSync('ed25519')
const pemOf = ({ publicKey }: typeof keys) => publicKey.export({ type: 'spki', format: 'pem' })

let storage: Storage
let scene: Scene
let folder: string
let path: string
const run = (...more: readonly string[]) =>
  scene.run([...july, '--ledger', path, '--public-key', join(folder, 'key.pem'), '--out', join(folder, 'q3'), ...more])

const seal = (log: Pick<Storage, 'eventPage'> = storage) =>
  createEventChain({ storage: log, ledger: fileLedger(path), ...keys }).seal()

beforeEach(async () => {
  storage = memoryStorage()
  scene = await openScene(storage)
  folder = temporaryFolder()
  path = join(folder, 'events.ledger')
  writeFileSync(join(folder, 'key.pem'), pemOf(keys))
  await scene.applied()
  await scene.skip('ann', 'Support called.')
})
afterEach(() => scene.close())
afterAll(removeFolders)

async function expectMismatch(message: string | RegExp): Promise<void> {
  expect(await run()).toEqual({ status: 6, stdout: '', stderr: expect.stringMatching(message) })
  expect(existsSync(join(folder, 'q3'))).toBe(false)
}

describe('evidence with a ledger', () => {
  it('has the last checkpoint, whose signature verify-evidence verifies', async () => {
    await seal()
    await scene.applied()
    await seal()
    expect(await run()).toMatchObject({ status: 0, stderr: '' })
    const { ledger } = JSON.parse(filesOf(join(folder, 'q3'))['manifest.json'] ?? '')
    expect(ledger).toEqual(JSON.parse(readFileSync(path, 'utf8').split('\n').at(-1) ?? ''))
    expect(await verify(join(folder, 'q3'), '--public-key', join(folder, 'key.pem'))).toMatchObject({ status: 0 })
    writeFileSync(join(folder, 'other.pem'), pemOf(generateKeyPairSync('ed25519')))
    expect(await verify(join(folder, 'q3'), '--public-key', join(folder, 'other.pem'))).toMatchObject({
      status: 6,
      stdout: expect.stringContaining('has no valid signature of the key'),
    })
  })

  it('prints how many events are not sealed yet', async () => {
    await seal()
    await scene.applied()
    expect(await run()).toMatchObject({
      status: 0,
      stderr: '6 events are newer than the last checkpoint of the ledger.\n',
    })
  })

  it('of another log, or of a log that was changed, is exit 6 and no folder', async () => {
    await seal({
      async eventPage(...request) {
        const page = await storage.eventPage(...request)
        return { ...page, json: Buffer.from(Buffer.from(page.json).toString().replace('"ann"', '"eve"')) }
      },
    })
    await expectMismatch(/^Event \d+: the event was changed after it was sealed\.\n$/)
  })

  it('that was changed is exit 6 and no folder', async () => {
    await seal()
    const text = readFileSync(path, 'utf8')
    writeFileSync(path, text.replace('"hashes":"', '"hashes":"0'))
    await expectMismatch('has no valid signature of the key')
  })

  it('that does not exist or is empty is exit 1', async () => {
    expect(await run()).toMatchObject({ status: 1, stderr: `The ledger file ${path} does not exist.\n` })
    writeFileSync(path, '')
    expect(await run()).toMatchObject({ status: 1, stderr: `The ledger file ${path} has no checkpoint.\n` })
  })

  it('of one project compares its events, too, and needs READ_EVENTS for the instance', async () => {
    await scene.applied('ann', 'ben', { project: 'blog' })
    await seal()
    expect(await run('--project', 'blog')).toMatchObject({ status: 0, stderr: '' })
    const args = [...july, '--project', 'shop', '--ledger', path, '--public-key', join(folder, 'key.pem')]
    expect(await scene.run([...args, '--out', join(folder, 'shop')], 'ofShop')).toMatchObject({ status: 5 })
  })
})
