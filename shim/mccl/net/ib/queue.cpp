#include "mccl/net/ib/queue.h"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "mccl/comm/roster.h"
#include "mccl/core/log.h"
#include "mccl/core/settings.h"

namespace musashim::mccl {
namespace {

mcclResult_t refused(const IbDevice& device, const char* what, int error) {
  return fail(mcclSystemError, "NET/IB : {}:{} : {} failed: {}", device.name(), device.port(), what,
              std::strerror(error));
}

}  // namespace

IbQueue::~IbQueue() {
  if (pair_) (void)verbs()->destroyQp(pair_);
  if (completions_) (void)verbs()->destroyCq(completions_);
}

mcclResult_t IbQueue::open(int requests) {
  // A request is a data write and a write of what the other side may send.
  completions_ = verbs()->createCq(device_.context(), 4 * requests, nullptr, nullptr, 0);
  if (!completions_) return refused(device_, "ibv_create_cq", errno);
  ibv_qp_init_attr attributes{};
  attributes.send_cq = attributes.recv_cq = completions_;
  attributes.qp_type = IBV_QPT_RC;
  attributes.cap.max_send_wr = static_cast<uint32_t>(2 * requests);
  attributes.cap.max_recv_wr = static_cast<uint32_t>(2 * requests);
  attributes.cap.max_send_sge = attributes.cap.max_recv_sge = 1;
  pair_ = verbs()->createQp(device_.pd(), &attributes);
  if (!pair_) return refused(device_, "ibv_create_qp", errno);
  packet_ = static_cast<uint32_t>(randomBytes()[0] & 0xffffff);
  ibv_qp_attr init{};
  init.qp_state = IBV_QPS_INIT;
  init.port_num = static_cast<uint8_t>(device_.port());
  init.qp_access_flags = IBV_ACCESS_REMOTE_WRITE;
  const int error =
      verbs()->modifyQp(pair_, &init, IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_ACCESS_FLAGS);
  return error == 0 ? mcclSuccess : refused(device_, "ibv_modify_qp to INIT", error);
}

IbAddress IbQueue::address() const {
  IbAddress address;
  address.queue = pair_->qp_num;
  address.packet = packet_;
  address.mtu = device_.mtu();
  address.lid = device_.lid();
  address.isRoce = device_.isRoce() ? 1 : 0;
  std::memcpy(address.gid, device_.gid().raw, sizeof address.gid);
  return address;
}

mcclResult_t IbQueue::connect(const IbAddress& peer) {
  if ((peer.isRoce != 0) != device_.isRoce())
    return fail(mcclSystemError, "NET/IB : {} is {}, and its peer is not", device_.name(),
                device_.isRoce() ? "RoCE" : "InfiniBand");
  ibv_qp_attr receive{};
  receive.qp_state = IBV_QPS_RTR;
  receive.path_mtu = static_cast<ibv_mtu>(std::min<uint32_t>(peer.mtu, device_.mtu()));
  receive.dest_qp_num = peer.queue;
  receive.rq_psn = peer.packet;
  receive.max_dest_rd_atomic = 1;
  receive.min_rnr_timer = 12;
  receive.ah_attr.port_num = static_cast<uint8_t>(device_.port());
  receive.ah_attr.sl = static_cast<uint8_t>(settings().ibServiceLevel);
  receive.ah_attr.dlid = peer.lid;
  if (device_.isRoce()) {
    receive.ah_attr.is_global = 1;
    std::memcpy(receive.ah_attr.grh.dgid.raw, peer.gid, sizeof peer.gid);
    receive.ah_attr.grh.sgid_index = static_cast<uint8_t>(device_.gidIndex());
    receive.ah_attr.grh.hop_limit = 255;
    receive.ah_attr.grh.traffic_class = static_cast<uint8_t>(settings().ibTrafficClass);
  }
  int error = verbs()->modifyQp(pair_, &receive,
                                IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN | IBV_QP_RQ_PSN |
                                    IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER);
  if (error != 0) return refused(device_, "ibv_modify_qp to RTR", error);
  ibv_qp_attr send{};
  send.qp_state = IBV_QPS_RTS;
  send.timeout = static_cast<uint8_t>(settings().ibTimeout);
  send.retry_cnt = static_cast<uint8_t>(settings().ibRetryCount);
  send.rnr_retry = 7;  // for ever
  send.sq_psn = packet_;
  send.max_rd_atomic = 1;
  error = verbs()->modifyQp(pair_, &send,
                            IBV_QP_STATE | IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY |
                                IBV_QP_SQ_PSN | IBV_QP_MAX_QP_RD_ATOMIC);
  return error == 0 ? mcclSuccess : refused(device_, "ibv_modify_qp to RTS", error);
}

}  // namespace musashim::mccl
