import type { Resource } from '../../../src/domain/files/resource.ts'
import { createStore } from '../lib/create-store.ts'

/** What rules permit at the paths that were opened; undefined where the account decides. */
export const ruled = createStore<Readonly<Record<string, Resource['permissions']>>>({})
