export { Json } from './json'
export { type Virtual, VirtualList } from './virtual-list'
