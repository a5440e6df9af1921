export { Log } from './log'
