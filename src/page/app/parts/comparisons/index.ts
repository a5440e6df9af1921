/** What few people look at first: its code is loaded when it is wanted. */
export { wholeRows } from '../../words/content/whole'
export { Json } from './json'
export { WordDiff } from './word-diff'
