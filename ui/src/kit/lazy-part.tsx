import { type ComponentType, createElement, lazy } from 'react'

/**
 * A component whose code is fetched when it is first shown. After a failure the next use fetches it again, where
 * `React.lazy` alone would fail for ever.
 */
export function lazyPart<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  const fetchPart = () =>
    lazy(async () => {
      try {
        return { default: await load() }
      } catch (error) {
        Part = fetchPart()
        throw error
      }
    })
  let Part = fetchPart()
  return (props: Props) => createElement(Part as ComponentType<Props>, props)
}
