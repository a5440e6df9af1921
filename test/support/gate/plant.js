const writes = (_req, res) => void res.end()
const passes = (_req, _res, next) => next()

/** What {@link plant} adds, in the format of `ungatedRoutes`. */
const planted = [
  'PATCH /planted/used/:name',
  'PUT /planted/outer/:project/inner/:name',
  'POST /planted/a',
  'POST /planted/b',
  'ALL /planted/all',
  'PUT /planted/route',
]

/** Adds writing routes without a gate, in each way that Express offers. */
function plant(app, express) {
  app.use('/planted/used', express.Router().patch('/:name', writes))
  const inner = express.Router().put('/inner/:name', passes, writes)
  app.use('/planted', express.Router().use('/outer/:project', inner))
  app.post(['/planted/a', '/planted/b'], [passes, [writes]])
  app.all('/planted/all', writes)
  app.route('/planted/route').get(passes).put(writes)
}

module.exports = { plant, planted }
