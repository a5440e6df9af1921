import { version } from 'express/package.json'

export const isExpress4 = version.startsWith('4.')
