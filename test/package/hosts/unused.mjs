import 'express-change-requests'
import 'express-change-requests/knex'
import 'express-change-requests/testing'

console.log('nothing is used')
