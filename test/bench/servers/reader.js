const express = require('express')
const { serve } = require('../support/child')
const { download } = require('../support/client')
const { catchUp } = require('../support/followers')

// A client in a separate process, for when the measuring process is busy.
serve(express(), {
  download: ({ port, path, headers }) => download(port, path, headers),
  catchUp: ({ port, path, lastId }) => catchUp(port, path, lastId),
})
