#!/usr/bin/env node
import { runCommand } from './cli/run'

void runCommand(process.argv.slice(2), {
  env: process.env,
  out: (text) => process.stdout.write(text),
  error: (text) => process.stderr.write(text),
}).then((status) => {
  process.exitCode = status
})
