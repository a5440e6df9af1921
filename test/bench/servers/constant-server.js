const express = require('express')
const { serve } = require('../support/child')

// The limit of every read: returns the requested number of bytes from memory.
const constant = Buffer.alloc(1 << 24, 'x')

const app = express()
app.get('/', (req, res) => {
  const bytes = Number(req.query.bytes)
  res.setHeader('Content-Type', 'application/octet-stream')
  res.setHeader('Content-Length', bytes)
  let left = bytes
  const send = () => {
    while (left > constant.length) {
      left -= constant.length
      if (!res.write(constant)) return res.once('drain', send)
    }
    return res.end(constant.subarray(0, left))
  }
  send()
})
serve(app)
