/** The same object with one method replaced, to test what happens if that method fails or never ends. */
export function withMethod<T extends object, K extends keyof T>(object: T, name: K, method: T[K]): T {
  return new Proxy(object, {
    get(target, key) {
      if (key === name) return method
      const value: unknown = Reflect.get(target, key)
      return typeof value === 'function' ? (value.bind(target) as unknown) : value
    },
  })
}
