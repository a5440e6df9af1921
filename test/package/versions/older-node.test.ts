import { execFileSync } from 'node:child_process'
import { removeFolders, root } from '../support/folders'
import { installNode } from './install'

const { exports } = require('../../../package.json') as { exports: Record<string, { default: string } | string> }
const name = 'express-change-requests'
const withoutNode = ['./client', './types']
const entries = Object.keys(exports).filter((entry) => !/\.json$/.test(entry))

afterAll(removeFolders)

describe.each(['18.20.8', '20.10.0'])('Node %s, which is too old', (version) => {
  const node = installNode(version)
  const itRuns = node === undefined ? it.skip : it
  /** Prints the error of a program, or that there is none. */
  const resultOf = (code: string) => {
    const program = `try { ${code}; console.log('loaded') } catch (error) { console.log(error.message) }`
    return execFileSync(node ?? '', ['-e', program], { cwd: root, encoding: 'utf8' }).trim()
  }

  itRuns.each(entries.map((entry) => entry.replace(/^\./, name)))('loads %s, or names the version needed', (entry) => {
    const isForAll = withoutNode.includes(entry.replace(name, '.'))
    const sentence = `${name} needs Node 20.19 or later; this is Node ${version}.`
    expect(resultOf(`require('${entry}')`)).toBe(isForAll ? 'loaded' : sentence)
  })

  itRuns('loads the schemas and the OpenAPI document', () => {
    expect(resultOf(`require('${name}/openapi.json'); require('${name}/package.json')`)).toBe('loaded')
  })

  itRuns('makes the command fail with the sentence alone', () => {
    const run = () =>
      execFileSync(node ?? '', ['dist/cli.js', 'status'], { cwd: root, encoding: 'utf8', stdio: 'pipe' })
    expect(run).toThrow(expect.objectContaining({ status: 1, stderr: expect.stringMatching(/^express.*20\.19.*\n$/) }))
  })
})
