#!/usr/bin/env node
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { nodeProblem } from './check-node'
import { runCommand } from './cli/run'

async function main(): Promise<number> {
  const problem = nodeProblem()
  if (problem !== undefined) {
    process.stderr.write(`${problem}\n`)
    return 1
  }
  return runCommand(process.argv.slice(2), {
    env: process.env,
    out: (printed) => process.stdout.write(printed),
    error: (printed) => process.stderr.write(printed),
    input: () => text(process.stdin),
    stopped: () => Promise.race([once(process, 'SIGTERM'), once(process, 'SIGINT')]),
  })
}

void main().then((status) => {
  process.exitCode = status
})
