import CLinux
import Linux
import Testing

@testable import Display

@Suite struct VblankQueryTests {
  @Test(arguments: [EINVAL, EBUSY, EIO, EACCES])
  func `a failure that may pass does not stop the asking`(number: Int32) {
    var query = VblankQuery()
    query.failed(Errno(number))
    #expect(query.isSupported)
  }

  @Test(arguments: [EOPNOTSUPP, ENOTTY])
  func `a driver without vblanks is not asked again`(number: Int32) {
    var query = VblankQuery()
    query.failed(Errno(number))
    #expect(!query.isSupported)
  }
}
