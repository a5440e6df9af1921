import 'express-change-requests'
import 'express-change-requests/knex'
import 'express-change-requests/testing'
import 'express-change-requests/types'

console.log('nothing is used')
