import type { RequestListener } from 'node:http'

export declare function tryOut(app: RequestListener, key: string): Promise<object>
