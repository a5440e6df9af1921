const express = require('express')
const { serve } = require('../support/child')
const { download } = require('../support/client')
const { catchUp } = require('../support/followers')

// A client in a process of its own, for when the one that measures has other things to do.
serve(express(), {
  download: ({ port, path, headers }) => download(port, path, headers),
  catchUp: ({ port, path, lastId }) => catchUp(port, path, lastId),
})
