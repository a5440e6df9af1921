#!/usr/bin/env node
import { once } from 'node:events'
import { runCommand } from './cli/run'

void runCommand(process.argv.slice(2), {
  env: process.env,
  out: (text) => process.stdout.write(text),
  error: (text) => process.stderr.write(text),
  stopped: () => Promise.race([once(process, 'SIGTERM'), once(process, 'SIGINT')]),
}).then((status) => {
  process.exitCode = status
})
