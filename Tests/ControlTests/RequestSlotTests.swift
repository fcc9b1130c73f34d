import Testing

@testable import Control

@Suite struct RequestSlotTests {
  private func request(_ number: Int64, _ reference: String? = nil) -> PadRequest {
    var request = PadRequest(.signature, number: number)
    request.reference = reference
    return request
  }

  @Test func `one request is open at a time, and numbers are not used again`() throws {
    var slot = RequestSlot()
    #expect(slot.nextNumber == 1)
    try slot.open(request(1))
    var busy = slot
    #expect(throws: CallError.busy) { try busy.open(request(2)) }
    slot.close(7)
    #expect(slot.request?.number == 1)
    slot.close(1)
    #expect(slot.request == nil && slot.nextNumber == 2)
    slot.restore(request(40), until: 5)
    #expect(slot.nextNumber == 41)
  }

  @Test func `a restored request is taken over once, by its reference, or expires once`() {
    var slot = RequestSlot()
    slot.restore(request(3, "a"), until: 5)
    #expect(slot.adopt(reference: nil, document: nil) == nil)
    #expect(slot.adopt(reference: "b", document: nil) == nil)
    #expect(slot.expire(at: 4) == nil)
    #expect(slot.orphanDeadline == 5)
    #expect(slot.adopt(reference: "a", document: nil) == request(3, "a"))
    #expect(slot.adopt(reference: "a", document: nil) == nil)
    #expect(slot.expire(at: 5) == nil)
    slot.restore(request(4), until: 6)
    #expect(slot.adopt(reference: nil, document: nil) == nil)
    #expect(slot.expire(at: 6) == request(4))
    #expect(slot.expire(at: 7) == nil)
  }

  @Test func `who can ask again is a client with a reference, or one from before a crash`() throws {
    var slot = RequestSlot()
    #expect(!slot.mayBeAskedAgain(1) && !slot.mayBeAskedAgain(nil))
    try slot.open(request(1))
    #expect(!slot.mayBeAskedAgain(1))
    slot.close(1)
    try slot.open(request(2, "a"))
    #expect(slot.mayBeAskedAgain(2) && !slot.mayBeAskedAgain(1) && !slot.mayBeAskedAgain(nil))
    slot.restore(request(3), until: 9)
    #expect(slot.mayBeAskedAgain(3))
  }
}
