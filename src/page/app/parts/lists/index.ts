export { Json } from './json'
