// Loaded before an app: instead of listening, the app prints the result of `ungatedRoutes`, and again with planted routes.
const { Server } = require('node:http')
const express = require('express')
const express4 = require('express4')
const { ungatedRoutes } = require('express-change-requests/testing')
const { plant } = require('./plant')

Server.prototype.listen = function listen() {
  const [app] = this.listeners('request')
  const isExpress4 = typeof app.lazyrouter === 'function'
  const before = ungatedRoutes(app)
  plant(app, isExpress4 ? express4 : express)
  process.stdout.write(JSON.stringify({ major: isExpress4 ? 4 : 5, before, after: ungatedRoutes(app) }))
  process.exit()
}
