#!/usr/bin/env node
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { runCommand } from './cli/run'

void runCommand(process.argv.slice(2), {
  env: process.env,
  out: (printed) => process.stdout.write(printed),
  error: (printed) => process.stderr.write(printed),
  input: () => text(process.stdin),
  stopped: () => Promise.race([once(process, 'SIGTERM'), once(process, 'SIGINT')]),
}).then((status) => {
  process.exitCode = status
})
