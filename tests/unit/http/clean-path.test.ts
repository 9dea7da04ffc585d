import { describe, expect, it } from 'vitest'
import { cleanedPath, plainRoute, splitTarget } from '../../../src/http/protocol/request-path.ts'

describe('cleanedPath', () => {
  it.each([
    ['/api//users', '/api/users'],
    ['//api/users', '/api/users'],
    ['/api/resources/a/../b', '/api/resources/b'],
    ['/api/resources/a/%2e%2e/b', '/api/resources/b'],
    ['/api/resources/a%2F..%2Fb', '/api/resources/b'],
    ['/api/resources/a%2f%2Fb/', '/api/resources/a/b/'],
    ['/api/resources/./a', '/api/resources/a'],
    ['/../../..', '/'],
    ['/a b/%C3%A4/../c%25d', '/a%20b/c%25d'],
    ['/..%2f/%5Cevil.example', '/%5Cevil.example'],
  ])('redirects %s to %s', (path, cleaned) => {
    expect(cleanedPath(path)).toBe(cleaned)
  })

  it.each(['/', '/api/users', '/a/.hidden', '/a/..b/c..', '/a/b/', '/a%20b/100%25', '/%252e%252e/a', '/a/%2e.b'])(
    'leaves %s alone',
    (path) => {
      expect(cleanedPath(path)).toBeUndefined()
    },
  )

  it('throws for an escape that cannot be decoded', () => {
    expect(() => cleanedPath('/a/%f/..')).toThrow(URIError)
  })

  it('cleans a path with bytes that are not UTF-8', () => {
    expect(cleanedPath('/a/%ff//%C3%a9%E9/%fe%2f..')).toBe('/a/%FF/%C3%A9%E9')
    expect(cleanedPath('/%c0%ae%c0%ae/%c0%af')).toBeUndefined()
  })
})

describe('splitTarget', () => {
  it('keeps every question mark after the first one in the query', () => {
    expect(splitTarget('/a?b=c?d')).toEqual({ path: '/a', query: '?b=c?d' })
  })

  it('gives an empty query when there is none', () => {
    expect(splitTarget('/a')).toEqual({ path: '/a', query: '' })
  })
})

describe('plainRoute', () => {
  it.each([
    ['/%61pi/login', '/api/login', '/api/login'],
    ['/api/%72aw/a%7Eb', '/api/raw/*', '/api/raw/a~b'],
    ['/f%C3%BC/%61pi/login', '/fü/api/login', '/f%C3%BC/api/login'],
  ])('writes %s of the route %s as %s', (path, route, plain) => {
    expect(plainRoute(path, route)).toBe(plain)
  })

  it.each([
    ['/api/raw/a%7Eb', '/api/raw/*'],
    ['/api/users/%31', '/api/users/:id'],
    ['/f%C3%BC/api/login', '/fü/api/login'],
    ['/%61', undefined],
  ])('leaves %s of the route %s alone', (path, route) => {
    expect(plainRoute(path, route)).toBeUndefined()
  })
})
