export type { Expectation, Runner } from './runner'
export { describeStorage } from './storage-contract'
export type { OpenStorage } from './storage-suite'
