import { type Command, UsageError } from './command'
import { missingPackage } from './missing-package'

export const demo: Command = {
  help: `express-change-requests demo: serves the review page with demo data in memory, on this computer only

It listens on 127.0.0.1, on port 4242 or else on a free one. Set the variable PORT to choose the port.
It takes no options and needs no database.
`,
  async run(args, { env, out, stopped }) {
    if (args.length > 0) throw new UsageError('demo takes no options. Set the port with the variable PORT.')
    const { runDemo } = await loadDemo()
    await runDemo({ port: env.PORT, out, stopped })
    return 0
  },
}

async function loadDemo() {
  try {
    return await import('./demo/demo.js')
  } catch (error) {
    throw missingPackage('express', error)
  }
}
