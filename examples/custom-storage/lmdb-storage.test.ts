import { describeStorage } from 'express-change-requests/testing'
import { openStore } from './open-store'

describeStorage({ describe, it, expect }, 'LMDB', openStore)
