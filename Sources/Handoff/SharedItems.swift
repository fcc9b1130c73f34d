internal import CLinux
internal import Linux
internal import Spool

/// Reads items for the sinks' threads. Sinks that deliver the same item at the same time share one copy.
@safe final class SharedItems: @unchecked Sendable {
  private struct Lent {
    let item: Item
    var users: Int
  }

  private let folder: String
  private let limit: Int64
  private let lock: UnsafeMutablePointer<pthread_mutex_t>
  private var lent: [ItemID: Lent] = [:]

  /// `folder`: the path of the folder that holds the items; `limit`: bytes of all files of an item.
  init(in folder: String, limit: Int64) throws(Errno) {
    self.folder = folder
    self.limit = limit
    // A mutex keeps its own address: it lives on the heap.
    unsafe lock = .allocate(capacity: 1)
    unsafe lock.initialize(to: pthread_mutex_t())
    unsafe pthread_mutex_init(lock, nil)
  }

  deinit {
    unsafe pthread_mutex_destroy(lock)
    unsafe lock.deallocate()
  }

  /// Calls `body` with the item. The sinks read one after another: no two read the same item.
  func withItem(
    _ id: ItemID, _ body: (Item) -> Outcome
  ) throws(Item.Failure) -> Outcome {
    let item = try borrow(id)
    defer { giveBack(id) }
    return body(item)
  }

  private func borrow(_ id: ItemID) throws(Item.Failure) -> Item {
    unsafe pthread_mutex_lock(lock)
    defer { unsafe pthread_mutex_unlock(lock) }
    if let known = lent[id] {
      lent[id]?.users += 1
      return known.item
    }
    let new: Folder
    do throws(SystemError) {
      new = try Folder(folder)
    } catch { throw .system(error) }
    let item = try Item(id, in: new, limit: limit)
    lent[id] = Lent(item: item, users: 1)
    return item
  }

  private func giveBack(_ id: ItemID) {
    unsafe pthread_mutex_lock(lock)
    defer { unsafe pthread_mutex_unlock(lock) }
    lent[id]?.users -= 1
    if lent[id]?.users == 0 { lent[id] = nil }
  }
}
