const { spawn } = require('node:child_process')
const { once } = require('node:events')
const { createClient } = require('express-change-requests/client')
const { serve } = require('./receiver')

const [check, command, ...args] = process.argv.slice(2)

/** Runs the command for a change request: with exit code 0 the check has passed. What people wrote reaches it in no argument. */
async function decide({ digest }, { project, id }) {
  const env = { ...process.env, PROJECT: project, CHANGE_REQUEST: String(id), DIGEST: digest }
  const child = spawn(command, args, { env, stdio: ['ignore', 'inherit', 'inherit'] })
  const [code] = await Promise.race([once(child, 'close'), once(child, 'error').then(() => [127])])
  return { status: code === 0 ? 'passed' : 'failed', summary: `${command} ended with exit code ${code}.` }
}

if (!check || !command) {
  process.stderr.write('Usage: node run-check.js <check> <command> [arguments]\n')
  process.exitCode = 2
} else {
  const client = createClient({ api: process.env.CHANGE_REQUESTS_URL, key: process.env.CHANGE_REQUESTS_KEY })
  serve({ client, check, decide })
}
