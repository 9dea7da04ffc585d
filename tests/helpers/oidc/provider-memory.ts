import type { Adapter, AdapterPayload } from 'oidc-provider'

/** What the test provider remembers; its own adapter prints a warning for each server. */
export function providerMemory(): new (model: string) => Adapter {
  const kept = new Map<string, AdapterPayload>()
  const found = (matches: (payload: AdapterPayload) => boolean) => [...kept.values()].find(matches)

  return class implements Adapter {
    readonly #model: string

    constructor(model: string) {
      this.#model = model
    }

    async upsert(id: string, payload: AdapterPayload): Promise<void> {
      kept.set(this.#key(id), payload)
    }

    async find(id: string): Promise<AdapterPayload | undefined> {
      return kept.get(this.#key(id))
    }

    async findByUid(uid: string): Promise<AdapterPayload | undefined> {
      return found((payload) => payload.uid === uid)
    }

    async findByUserCode(): Promise<undefined> {
      return undefined
    }

    async consume(id: string): Promise<void> {
      const payload = kept.get(this.#key(id))
      if (payload !== undefined) payload.consumed = Math.floor(Date.now() / 1000)
    }

    async destroy(id: string): Promise<void> {
      kept.delete(this.#key(id))
    }

    async revokeByGrantId(grantId: string): Promise<void> {
      for (const [key, payload] of kept) if (payload.grantId === grantId) kept.delete(key)
    }

    #key(id: string): string {
      return `${this.#model}:${id}`
    }
  }
}
