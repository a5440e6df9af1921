export * from './controls'
export * from './marks'
export * from './messages'
