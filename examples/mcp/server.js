#!/usr/bin/env node
import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import { createClient } from 'express-change-requests/client'
import { errorResult, successResult } from './results.js'
import { checkArguments } from './schemas.js'
import { createTools } from './tools/index.js'

async function main() {
  const { CHANGE_REQUESTS_URL: api, CHANGE_REQUESTS_KEY: key } = process.env
  if (!api || !key) throw new Error('Set CHANGE_REQUESTS_URL to the URL of the API, and CHANGE_REQUESTS_KEY to a key.')
  const client = createClient({ api, key })
  const { body: caller } = await client.me()
  if (caller.kind === 'person') {
    throw new Error(
      'The key belongs to a person, and this server acts only for machines. Set the kind of its user to "service" or ' +
        '"agent", in apiKeys or in what authenticate returns.',
    )
  }
  await createServer(createTools(client)).connect(new StdioServerTransport())
}

/** @param {Map<string, import('./tools/index.js').Tool>} tools */
function createServer(tools) {
  const server = new Server({ name: 'express-change-requests', version: '0.1.0' }, { capabilities: { tools: {} } })
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: [...tools].map(([name, { run: _, ...described }]) => ({ name, ...described })),
  }))
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, context) => {
    try {
      const { name, arguments: input = {} } = params
      const tool = tools.get(name)
      if (tool === undefined) throw new Error('There is no tool with this name.')
      checkArguments(tool.inputSchema, input)
      return successResult(await tool.run(input, context))
    } catch (error) {
      return errorResult(error)
    }
  })
  return server
}

main().catch((error) => {
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
})
