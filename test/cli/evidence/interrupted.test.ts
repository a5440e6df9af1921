import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { july, keyOf, openScene, removeFolders, type Scene, temporaryFolder } from './support'

const script = join(__dirname, '../../../dist/cli.js')

let scene: Scene
let folder: string

beforeEach(async () => {
  scene = await openScene()
  folder = temporaryFolder()
  await scene.applied()
})
afterEach(() => scene.close())
afterAll(removeFolders)

/** Starts the command, and waits until it reads the log, which does not end. */
async function startHanging() {
  const { before } = scene.host
  const reading = new Promise<void>((resolve) => {
    scene.host.before = (req, res) => {
      if (!req.url?.includes('/search/events?') || req.headers.accept !== 'application/x-ndjson')
        return before?.(req, res)
      res.writeHead(200, { 'Content-Type': 'application/x-ndjson' }).write('{"id":1,')
      resolve()
    }
  })
  const env = { ...process.env, CHANGE_REQUESTS_URL: scene.host.url, CHANGE_REQUESTS_KEY: keyOf('auditor') }
  const command = spawn(process.execPath, [script, 'evidence', ...july, '--out', join(folder, 'q3')], { env })
  let stderr = ''
  command.stderr.setEncoding('utf8').on('data', (text) => {
    stderr += text
  })
  const ended = once(command, 'close')
  await Promise.race([reading, ended])
  expect(readdirSync(folder)).toEqual([expect.stringMatching(/^\.q3-/)])
  return { command, ended, stderr: () => stderr }
}

describe('evidence that is interrupted', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)('by %s leaves nothing', async (signal) => {
    const { command, ended, stderr } = await startHanging()
    command.kill(signal)
    expect([await ended, stderr()]).toEqual([[1, null], 'Stopped. Nothing was written.\n'])
    expect(readdirSync(folder)).toEqual([])
  })

  it('by SIGKILL leaves no folder of its name', async () => {
    const { command, ended } = await startHanging()
    command.kill('SIGKILL')
    await ended
    expect(existsSync(join(folder, 'q3'))).toBe(false)
  })
})
