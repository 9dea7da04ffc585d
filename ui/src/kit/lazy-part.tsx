import { type ComponentType, createElement, lazy } from 'react'

/** Milliseconds that a failure lasts: what is drawn again because of it has to find it, and not another try. */
const FAILS_FOR = 1000

/**
 * A component whose code is fetched when it is first shown. Some time after a failure the next use fetches it
 * again, where `React.lazy` alone would fail for ever.
 */
export function lazyPart<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  const fetchPart = () =>
    lazy(async () => {
      try {
        return { default: await load() }
      } catch (error) {
        setTimeout(() => (Part = fetchPart()), FAILS_FOR)
        throw error
      }
    })
  let Part = fetchPart()
  return (props: Props) => createElement(Part as ComponentType<Props>, props)
}
