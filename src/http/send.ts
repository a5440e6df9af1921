import type { Request, Response } from 'express'
import type { Reply } from './reply'
import { sendStream } from './stream'

/** Sends a response; for HEAD only its headers. */
export async function send(reply: Reply, req: Request, res: Response, streamTimeoutMs: number): Promise<void> {
  if (reply.stream === undefined || req.method === 'HEAD') return sendWhole(reply, req, res)
  if (reply.onClose !== undefined) res.once('close', reply.onClose)
  writeHead(reply, res)
  if (reply.isFollower) unframe(res)
  return sendStream(res, reply.stream, streamTimeoutMs, reply.isFollower)
}

/** Sends a response that is not a stream. */
export function sendWhole(reply: Reply, req: Request, res: Response): void {
  writeHead(reply, res)
  if (reply.body !== undefined) res.setHeader('Content-Length', Buffer.byteLength(reply.body))
  res.end(req.method === 'HEAD' ? undefined : reply.body)
}

function writeHead(reply: Reply, res: Response): void {
  res.statusCode = reply.status
  res.setHeader('X-Content-Type-Options', 'nosniff')
  for (const [name, value] of Object.entries(reply.headers)) {
    if (name === 'Vary') res.vary(value)
    else res.setHeader(name, value)
  }
  if (reply.type !== undefined) res.setHeader('Content-Type', reply.type)
}

/** Without chunks, a piece is one write to the socket instead of four. */
function unframe(res: Response): void {
  res.setHeader('Connection', 'close')
  res.removeHeader('Transfer-Encoding')
}
